import type { Size } from '../layout/geometry.ts'

/** At most these shares of a camera's width and height are cut off. */
export interface CropLimits {
  width: number
  height: number
}

/** Faces stay whole. */
export const FACE_CROP: CropLimits = { width: 0.25, height: 0.1 }
/** Where tiles are upright, landscape cameras would be mostly bars, and phones' cameras fill them. */
export const FILL_CROP: CropLimits = { width: 0.45, height: 0.35 }

/**
 * The factor by which the video of a camera is larger than one that is shown whole: it fills its tile as far as
 * little enough is cut off. A portrait camera in a landscape tile is shown whole, unless it may be cut.
 */
export function zoomOf(video: Size, tile: Size, limits = FACE_CROP): number {
  if (video.width <= 0 || video.height <= 0 || tile.width <= 0 || tile.height <= 0) return 1
  const [horizontal, vertical] = [tile.width / video.width, tile.height / video.height]
  const fill = Math.max(horizontal, vertical) / Math.min(horizontal, vertical)
  if (vertical > horizontal) return Math.min(fill, 1 / (1 - limits.width))
  const isPortraitInLandscape = limits === FACE_CROP && video.height > video.width && tile.width > tile.height
  return isPortraitInLandscape ? 1 : Math.min(fill, 1 / (1 - limits.height))
}

/** The part of the tile that the video covers: the rest would be a bar. */
export function coveredBy(video: Size, tile: Size, limits = FACE_CROP): Size {
  const whole = Math.min(tile.width / video.width, tile.height / video.height)
  const scale = whole * zoomOf(video, tile, limits)
  return {
    width: Math.min(tile.width, video.width * scale),
    height: Math.min(tile.height, video.height * scale),
  }
}

/** Whether a larger video loses height, and not width. */
export const isHeightCut = (video: Size, tile: Size): boolean =>
  tile.width * video.height > tile.height * video.width
