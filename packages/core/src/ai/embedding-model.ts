/** Texts that a model turns into vectors. */
export interface EmbeddingRequest {
  /** At least one: each is a text, or a text as the numbers of its tokens in the model. */
  readonly inputs: readonly (string | readonly number[])[];
  /** The numbers of each vector, 1 and above. Default: as many as the model has. */
  readonly dimensions?: number | undefined;
  /** Aborted when the caller has left. The model then stops and rejects. */
  readonly signal: AbortSignal;
}

/** The vectors of some texts. */
export interface Embeddings {
  /** One for each input, in the same order, all of the same length. Only finite numbers. */
  readonly vectors: readonly Float32Array[];
  readonly usage: {
    /** Tokens of all inputs together. */
    readonly promptTokens: number;
    /** True if the model's provider reported nothing and the tokens were counted here. */
    readonly estimated: boolean;
  };
}

/** A model that turns texts into vectors. */
export interface EmbeddingModel {
  /** Tokens that one input may have. */
  readonly inputTokens: number;
  /** Tokens of a text, counted or estimated, never less than 0. */
  countTokens(text: string): number;
  /**
   * The vectors of some texts.
   * @throws TelexError `ai_unavailable` for whatever the provider does, with the cause for the log only
   */
  embed(request: EmbeddingRequest): Promise<Embeddings>;
}
