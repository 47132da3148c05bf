/**
 * Reads the pixels of a camera's frames. Chromium without a graphics card keeps a copy of each frame that is drawn, 512 MB in
 * all, as if it were a picture that may be drawn again; a frame that is read leaves nothing behind, and takes less time.
 */
export class FrameReader {
  #pixels = new ImageData(1, 1)
  readonly #context = new OffscreenCanvas(1, 1).getContext('2d')

  /** What is to be drawn in place of the frame: valid until the next one. The frame itself, where it cannot be read. */
  async read(frame: VideoFrame): Promise<CanvasImageSource> {
    const { displayWidth: width, displayHeight: height } = frame
    if (!this.#context || !isReadable(frame)) return frame
    if (this.#pixels.width !== width || this.#pixels.height !== height) {
      this.#pixels = new ImageData(width, height)
      Object.assign(this.#context.canvas, { width, height })
    }
    await frame.copyTo(this.#pixels.data, { format: 'RGBA' })
    this.#context.putImageData(this.#pixels, 0, 0)
    return this.#context.canvas
  }
}

/** As it is shown, and in these colours: a browser that does not convert them says another size. */
function isReadable(frame: VideoFrame & { rotation?: number; flip?: boolean }): boolean {
  const { displayWidth: width, displayHeight: height, visibleRect, rotation, flip } = frame
  const isUpright = visibleRect?.width === width && visibleRect.height === height && !rotation && !flip
  try {
    return isUpright && frame.allocationSize({ format: 'RGBA' }) === width * height * 4
  } catch {
    return false
  }
}
