import type { Observer } from "@telex/core";
import { Counter, Histogram, type Registry } from "prom-client";

const seconds = (milliseconds: number): number => milliseconds / 1000;

const ofResponses = {
  name: "telex_http_responses_total",
  help: "Responses by the template of their path; 101 for sockets",
  labelNames: ["method", "route", "status"] as const,
};

function observeResponses(registers: Registry[]): Required<Pick<Observer, "response">> {
  const responses = new Counter({ ...ofResponses, registers });
  return { response: ({ method, route, status }) => responses.inc({ method, route, status }) };
}

const ofReplies = {
  replies: {
    name: "telex_model_replies_total",
    help: "Replies of models by the reason of their end",
    labelNames: ["model", "finish"] as const,
  },
  duration: {
    name: "telex_model_reply_duration_seconds",
    help: "Time from a question to the end of its reply",
    labelNames: ["model"] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
  },
  tokens: {
    name: "telex_model_tokens_total",
    help: "Tokens that replies used",
    labelNames: ["model", "kind"] as const,
  },
};

function observeReplies(registers: Registry[]): Required<Pick<Observer, "reply">> {
  const replies = new Counter({ ...ofReplies.replies, registers });
  const duration = new Histogram({ ...ofReplies.duration, registers });
  const tokens = new Counter({ ...ofReplies.tokens, registers });
  return {
    reply({ model, finish, ms, promptTokens, completionTokens }) {
      replies.inc({ model, finish });
      duration.observe({ model }, seconds(ms));
      tokens.inc({ model, kind: "prompt" }, promptTokens);
      tokens.inc({ model, kind: "completion" }, completionTokens);
    },
  };
}

const ofBlobs = {
  verbs: {
    name: "telex_blob_operations_total",
    help: "Reads and writes of file contents by outcome: ok, or the code of the error",
    labelNames: ["verb", "outcome"] as const,
  },
  duration: {
    name: "telex_blob_duration_seconds",
    help: "Duration of reads and writes of file contents: a put until its last byte is stored, an open until its first byte can be read",
    labelNames: ["verb"] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
  },
  bytes: {
    name: "telex_blob_written_bytes_total",
    help: "Bytes that arrived for files",
  },
};

function observeBlobs(registers: Registry[]): Required<Pick<Observer, "blob">> {
  const verbs = new Counter({ ...ofBlobs.verbs, registers });
  const duration = new Histogram({ ...ofBlobs.duration, registers });
  const bytes = new Counter({ ...ofBlobs.bytes, registers });
  return {
    blob(done) {
      verbs.inc({ verb: done.verb, outcome: done.outcome });
      duration.observe({ verb: done.verb }, seconds(done.ms));
      bytes.inc(done.bytes);
    },
  };
}

const ofCommits = {
  duration: {
    name: "telex_commit_duration_seconds",
    help: "Duration of a transaction, including the wait for the disk",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  },
  writes: {
    name: "telex_commit_writes",
    help: "Writes that share a transaction",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024],
  },
};

function observeCommits(registers: Registry[]): Required<Pick<Observer, "commit">> {
  const duration = new Histogram({ ...ofCommits.duration, registers });
  const writes = new Histogram({ ...ofCommits.writes, registers });
  return {
    commit(commit) {
      duration.observe(seconds(commit.ms));
      writes.observe(commit.writes);
    },
  };
}

const ofFanOut = {
  name: "telex_fan_out_receivers",
  help: "Connections that receive the room events of one tick",
  buckets: [0, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 10_000],
};

function observeFanOut(registers: Registry[]): Required<Pick<Observer, "fanOut">> {
  const receivers = new Histogram({ ...ofFanOut, registers });
  return { fanOut: (count) => receivers.observe(count) };
}

const ofFaults = {
  name: "telex_network_faults_total",
  help: "Refused input and failures of external networks, their bots and frameworks, by source and cause",
  labelNames: ["source", "cause"] as const,
};

function observeFaults(registers: Registry[]): Required<Pick<Observer, "fault">> {
  const faults = new Counter({ ...ofFaults, registers });
  return { fault: ({ source, cause }) => faults.inc({ source, cause }) };
}

/** Counts and times all events except calls. */
export const observeWork = (registers: Registry[]): Required<Omit<Observer, "call">> => ({
  ...observeResponses(registers),
  ...observeReplies(registers),
  ...observeBlobs(registers),
  ...observeCommits(registers),
  ...observeFanOut(registers),
  ...observeFaults(registers),
});
