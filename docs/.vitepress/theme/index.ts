import theme from "vitepress/theme";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress reads the default export
export default theme;
