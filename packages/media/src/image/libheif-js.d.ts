/**
 * Types of the used functions of libheif's WebAssembly build. The package declares only its raw
 * exports.
 */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface HeifError {
    code: object;
    message: string;
  }
  interface HeifHandle {
    readonly code?: undefined;
  }
  interface DecodedHeif {
    readonly code?: undefined;
    image: object;
    channels: { id: unknown; width: number; height: number; stride: number; data: Uint8Array }[];
  }
  interface LibHeif {
    heif_error_code: { heif_error_Ok: object };
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
    heif_context_alloc(): object | null;
    heif_context_read_from_memory(context: object, file: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: object): HeifHandle | HeifError;
    heif_image_handle_get_width(handle: object): number;
    heif_image_handle_get_height(handle: object): number;
    heif_image_handle_has_alpha_channel(handle: object): number;
    heif_js_decode_image2(
      handle: object,
      colourSpace: unknown,
      chroma: unknown,
    ): Promise<DecodedHeif | HeifError> | DecodedHeif | HeifError;
  }
  const load: () => LibHeif;
  export default load;
}
