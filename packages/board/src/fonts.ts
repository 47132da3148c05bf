/**
 * The fonts of texts, in the order in which a character is looked up. Browsers load them by `fonts.css`, and recorders these files:
 * each is a family of its own there, of which browsers know the first one of each font.
 */
export const FONT_FILES: readonly { family: string; file: string }[] = [
  ...['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese', 'devanagari'].map(
    (subset, at) => ({
      family: at === 0 ? 'Noto Sans' : `Noto Sans ${subset}`,
      file: fileOf('noto-sans', subset),
    }),
  ),
  { family: 'Noto Sans Arabic', file: fileOf('noto-sans-arabic', 'arabic') },
  { family: 'Noto Sans Hebrew', file: fileOf('noto-sans-hebrew', 'hebrew') },
  { family: 'Noto Sans Math', file: fileOf('noto-sans-math', 'latin') },
]

/** As CSS writes it. What the fonts do not have comes from the system. */
export const FONT_FAMILY = [...FONT_FILES.map(({ family }) => `"${family}"`), 'sans-serif'].join(', ')

export const fontOf = (size: number): string => `${size}px ${FONT_FAMILY}`

function fileOf(name: string, subset: string): string {
  return `@fontsource/${name}/files/${name}-${subset}-400-normal.woff2`
}
