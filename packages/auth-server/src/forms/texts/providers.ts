import type { ProviderFailureReason } from "../../providers/failure.ts";

/** The texts about other providers. Each takes the name of the provider. */
export interface ProviderTexts {
  /** Between the button of the form and those of providers. */
  readonly or: string;
  readonly button: (provider: string) => string;
  readonly leaving: (provider: string) => string;
  readonly leavingLead: (host: string) => string;
  readonly failures: Readonly<Record<ProviderFailureReason, (provider: string) => string>>;
}

/** The texts in English. */
export const providersEn: ProviderTexts = {
  or: "or",
  button: (provider) => `Continue with ${provider}`,
  leaving: (provider) => `Continue to ${provider}`,
  leavingLead: (host) => `You sign in at ${host}, and come back here.`,
  failures: {
    unavailable: (provider) => `${provider} does not respond. Try again later, or sign in in another way.`,
    refused: (provider) => `The answer of ${provider} could not be verified. Start again.`,
    denied: (provider) => `${provider} did not sign you in, or you refused.`,
    ended: () =>
      "This sign-in was begun in another browser, was used already, or is older than 10 minutes. Start again.",
    forbidden: (provider) => `This server does not admit your account at ${provider}. Ask an admin.`,
    unknown: (provider) =>
      `No account here belongs to your account at ${provider}. With an invitation, open its link and continue with ${provider} there. If you have an account here, sign in to it, and link ${provider} on your account page.`,
    taken: (provider) => `Your account at ${provider} belongs to another account here.`,
    linked: (provider) => `Your account here has another identity at ${provider}. Unlink that one first.`,
    changed: (provider) => `Someone else is signed in now, or signed in at ${provider}. Nothing was changed.`,
  },
};

/** The texts in Simplified Chinese. */
export const providersZh: ProviderTexts = {
  or: "或",
  button: (provider) => `通过 ${provider} 继续`,
  leaving: (provider) => `前往 ${provider}`,
  leavingLead: (host) => `请在 ${host} 登录，然后会回到这里。`,
  failures: {
    unavailable: (provider) => `${provider} 没有响应。请稍后再试，或使用其他方式登录。`,
    refused: (provider) => `无法验证 ${provider} 的答复，因此没有采用。请重新开始。`,
    denied: (provider) => `${provider} 没有让你登录，或者你拒绝了。`,
    ended: () => "此登录是在另一个浏览器中开始的，已被使用，或已超过 10 分钟。请重新开始。",
    forbidden: (provider) => `此服务器不接受你在 ${provider} 的账号。请联系管理员。`,
    unknown: (provider) =>
      `这里没有账号属于你在 ${provider} 的账号。如有邀请，请打开邀请链接并在那里选择 ${provider}。如果你在这里已有账号，请先登录，再在账号页面关联 ${provider}。`,
    taken: (provider) => `你在 ${provider} 的账号已属于这里的另一个账号。`,
    linked: (provider) => `你的账号已关联 ${provider} 的另一个身份。请先取消关联。`,
    changed: (provider) => `当前登录的，或在 ${provider} 登录的，是另一个人。未做任何更改。`,
  },
};
