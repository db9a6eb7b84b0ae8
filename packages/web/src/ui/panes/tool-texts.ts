import type { ToolTexts } from "./tool-calls.tsx";

export const toolsEn: ToolTexts = {
  state: {
    asked: "waiting for permission",
    refused: "not allowed",
    called: "started, outcome unknown",
    failed: "failed",
    done: "done",
  },
  mayCall: (tool) => `Allow the model to call ${tool}? Without an answer within a minute, the call is refused.`,
  allow: "Allow",
  refuse: "Refuse",
};

export const toolsZh: ToolTexts = {
  state: {
    asked: "等待许可",
    refused: "未获许可",
    called: "已开始，结果未知",
    failed: "失败",
    done: "已完成",
  },
  mayCall: (tool) => `允许模型调用 ${tool} 吗？一分钟内不回答视为不允许。`,
  allow: "允许",
  refuse: "不允许",
};
