/** The International Telegraph Alphabet No. 2: the five holes of each letter, from top to bottom. */
const alphabet: Readonly<Record<string, string>> = {
  A: "11000",
  B: "10011",
  C: "01110",
  D: "10010",
  E: "10000",
  F: "10110",
  G: "01011",
  H: "00101",
  I: "01100",
  J: "11010",
  K: "11110",
  L: "01001",
  M: "00111",
  N: "00110",
  O: "00011",
  P: "01101",
  Q: "11101",
  R: "01010",
  S: "10100",
  T: "00001",
  U: "11100",
  V: "01111",
  W: "11001",
  X: "10111",
  Y: "10101",
  Z: "10001",
  " ": "00100",
};

const pitch = 10;
/** The vertical positions of the five holes. The small sprocket hole is after the third. */
const rows = [8, 18, 28, 44, 54];

interface Hole {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** The holes of the letter at this position in a text. */
function holesOf(letter: string, position: number): readonly Hole[] {
  const x = (position + 1) * pitch;
  const code = alphabet[letter] ?? "";
  const holes = rows.filter((_, row) => code[row] === "1").map((y) => ({ x, y, r: 3.5 }));
  return [...holes, { x, y: 36, r: 1.5 }];
}

/** A punched tape that spells a word. It is decorative, so screen readers ignore it. */
export function Tape({ children }: { readonly children: string }) {
  const width = (children.length + 1) * pitch;
  const holes = Array.from(children).flatMap(holesOf);
  return (
    <svg class="tape" viewBox={`0 0 ${width} 62`} width={width} height={62} aria-hidden="true" focusable="false">
      <rect width={width} height={62} />
      {holes.map(({ x, y, r }) => (
        <circle key={`${x}.${y}`} cx={x} cy={y} r={r} />
      ))}
    </svg>
  );
}
