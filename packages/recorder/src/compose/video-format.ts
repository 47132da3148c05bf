/** Video format of composed recordings. */
export const WIDTH = 1280
export const HEIGHT = 720
export const FPS = 25
export const FRAME_MS = 1000 / FPS
/** At 48 kHz: two Opus packets. */
export const FRAME_SAMPLES = 1920

/** Two spellings of one colour. */
export const BACKGROUND = '16181d'
export const BACKGROUND_YUV = [37, 130, 127] as const
export const CARD = '23262d'
