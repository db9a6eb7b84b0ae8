// JavaScript, because the esbuild of VitePress does not know the target in the TypeScript configuration of this repository.
import theme from "vitepress/theme-without-fonts";
// The colours and types of the pages, which the site shares.
import "../../../packages/web/src/styles/tokens.css";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress reads the default export
export default {
  extends: theme,
  enhanceApp() {
    if (typeof document === "undefined") return;
    // The switch of VitePress sets a class, and the pages an attribute.
    const follow = () => {
      const { classList, dataset } = document.documentElement;
      dataset.theme = classList.contains("dark") ? "dark" : "light";
    };
    new MutationObserver(follow).observe(document.documentElement, { attributeFilter: ["class"] });
    follow();
  },
};
