import { copyFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { defineConfig } from "vitepress";
import { slugOf } from "../test/page.ts";
import { excluded, root, sidebars, siteOf, targetOf } from "../site/pages.ts";

const { english, chinese } = sidebars();

const first = (items: readonly { readonly items?: readonly { readonly link?: string }[] }[], text: number): string =>
  items[text]?.items?.[0]?.link ?? "/";

export default defineConfig({
  title: "Telex",
  description: "Text between people and machines: teleprinter, chat rooms, AI conversations, pictures as text.",
  // The pages are where they are in the repository, so that they can also be read there.
  srcDir: "..",
  srcExclude: excluded,
  rewrites: siteOf,
  cleanUrls: false,
  lastUpdated: false,
  // For generators of clients in other languages.
  buildEnd: async ({ outDir }) =>
    await copyFile(join(root, "packages/http/src/openapi.json"), join(outDir, "openapi.json")),
  cacheDir: "./node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  vite: { publicDir: "docs/public", build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    // On the dark ground of the machine, by day and by night.
    theme: "github-dark",
    anchor: { slugify: slugOf },
    config(md) {
      // The pages are plain Markdown: Vue must not take braces for its own.
      const { text, code_inline: code } = md.renderer.rules;
      const plain = (html: string): string => html.replaceAll("{{", "&#123;&#123;");
      md.renderer.rules.text = (...args) => plain(text?.(...args) ?? "");
      md.renderer.rules.code_inline = (...args) => plain(code?.(...args) ?? "");
      md.core.ruler.push(
        "site-links",
        ({
          tokens,
          env,
        }: {
          tokens: typeof md.core.State.prototype.tokens;
          env: { path: string; realPath?: string };
        }) => {
          const page = relative(root, env.realPath ?? env.path);
          for (const { children } of tokens)
            for (const token of children ?? []) {
              const target = token.type === "link_open" ? targetOf(page, String(token.attrGet("href"))) : null;
              if (target !== null) token.attrSet("href", target);
            }
        },
      );
    },
  },
  themeConfig: {
    outline: { level: [2, 3] },
    externalLinkIcon: true,
    search: {
      provider: "local",
      options: {
        miniSearch: {
          options: {
            // Chinese is found character by character: it has no spaces between words.
            tokenize: (text) => text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]+/gu) ?? [],
          },
        },
        locales: {
          zh: {
            translations: {
              button: { buttonText: "搜索", buttonAriaLabel: "搜索" },
              modal: {
                displayDetails: "显示详情",
                resetButtonTitle: "清除",
                backButtonTitle: "返回",
                noResultsText: "没有结果",
                footer: { selectText: "选择", navigateText: "移动", closeText: "关闭" },
              },
            },
          },
        },
      },
    },
  },
  locales: {
    root: {
      label: "English",
      lang: "en",
      themeConfig: {
        nav: [
          { text: "Start", link: "/start" },
          { text: "Guide", link: first(english, 2) },
          { text: "Reference", link: "/reference/" },
        ],
        sidebar: english,
      },
    },
    zh: {
      label: "简体中文",
      lang: "zh-CN",
      description: "在人与机器之间传递文本：电传打字机、聊天室、AI 对话、图片转文字。",
      themeConfig: {
        nav: [
          { text: "教程", link: first(chinese, 0) },
          { text: "参考（英文）", link: "/reference/" },
        ],
        sidebar: [
          ...chinese,
          {
            text: "英文文档",
            items: [
              { text: "Telex in five minutes", link: "/start" },
              { text: "Reference", link: "/reference/" },
            ],
          },
        ],
        outline: { level: [2, 3], label: "本页目录" },
        docFooter: { prev: "上一页", next: "下一页" },
        darkModeSwitchLabel: "外观",
        lightModeSwitchTitle: "切换到浅色",
        darkModeSwitchTitle: "切换到深色",
        sidebarMenuLabel: "目录",
        returnToTopLabel: "回到顶部",
        langMenuLabel: "语言",
      },
    },
  },
});
