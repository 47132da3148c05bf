/** Pictures of ours, drawn by `pictures.ts`. */
export const PICTURES = ['library', 'window', 'plants', 'dusk', 'waves', 'classroom'] as const
export type PictureName = (typeof PICTURES)[number]

/** The backgrounds of the person: the room, the blurred room, a picture, or the user's own picture. */
export const BACKGROUNDS = ['off', 'light', 'strong', ...PICTURES, 'own'] as const
export type Background = (typeof BACKGROUNDS)[number]

/** A background that hides the room. */
export type Cover = Exclude<Background, 'off'>
