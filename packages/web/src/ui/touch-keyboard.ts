/** Whether a focused field opens a keyboard on the screen. Not constant: a keyboard may be plugged in. */
export const isTouchKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches
