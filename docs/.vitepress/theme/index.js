// JavaScript, because the esbuild of VitePress does not know the target in the TypeScript configuration of this repository.
import theme from "vitepress/theme";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress reads the default export
export default theme;
