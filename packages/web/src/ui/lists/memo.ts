import { Component, createElement, type FunctionComponent } from "preact";

/** A component that is drawn again only when its properties change, or a signal that it reads. */
export function memo<P extends object>(
  draw: FunctionComponent<P>,
  isSame: (before: Readonly<P>, after: Readonly<P>) => boolean,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isSame(this.props, next);
    }
    override render() {
      return createElement(draw, this.props);
    }
  }
  return (props) => createElement(Memo, props);
}
