import { LinkButton } from "../ui/forms/link-button.tsx";

/** Shown in all languages if the texts of the pages cannot be loaded. */
export const NotStarted = () => (
  <main id="content" class="blank">
    <p>
      The server cannot be reached. <span lang="zh-CN">无法连接服务器。</span>{" "}
      <LinkButton onClick={() => location.reload()}>
        Try again <span lang="zh-CN">重试</span>
      </LinkButton>
    </p>
  </main>
);
