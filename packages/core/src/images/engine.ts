export type ImageFormat = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";
export type Algo = "gray" | "border";
export interface ImageInfo {
  readonly format: ImageFormat;
  readonly mime: string;
  readonly ext: string;
  readonly width: number;
  readonly height: number;
}
export interface ImageEngine {
  identify(bytes: Uint8Array): Promise<ImageInfo | null>;
  text(bytes: Uint8Array, options: { readonly col: number; readonly algo: Algo }): Promise<string>;
  jpeg(bytes: Uint8Array, options: { readonly size?: number }): Promise<Uint8Array>;
  thumbnail(bytes: Uint8Array, max: number): Promise<{ readonly bytes: Uint8Array; readonly mime: string }>;
  encode(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array>;
  close(): Promise<void>;
}
