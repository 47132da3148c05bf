import type { RoomLayout, RoomPage } from '@lectern/protocol'
import { isLanguage, type LanguageName } from '../texts/languages.ts'

/** How a partner wants the page of its room to look. */
export interface RoomLook {
  /** Instead of Lectern. */
  brand: string | null
  /** The colour of buttons, `#rrggbb`. */
  accent: string | null
  /** Until the viewer chooses another one. */
  layout: RoomLayout
  /** Unless the user has chosen one. */
  language: LanguageName | null
  /** The address to which people go after the call. */
  returnUrl: string | null
}

// Repeated here, because the protocol's list is in a file of schemas that the page must not load.
const layouts: Record<RoomLayout, true> = { webinar: true, grid: true, speaker: true, presentation: true }

/** The look of the page. Missing and malformed fields have the usual values. */
export function readLook({ brand, layout, language, return_url }: Partial<RoomPage>): RoomLook {
  const { name, accent } = brand ?? {}
  return {
    brand: (typeof name === 'string' && name.trim()) || null,
    accent: typeof accent === 'string' && /^#[\da-f]{6}$/i.test(accent) ? accent : null,
    layout: layout !== undefined && Object.hasOwn(layouts, layout) ? layout : 'webinar',
    language: isLanguage(language) ? language : null,
    returnUrl: typeof return_url === 'string' && /^https?:\/\//i.test(return_url) ? return_url : null,
  }
}

/** Colours of buttons in a brand's colour: black or white on it, whichever has more contrast (WCAG 2.2, 1.4.3). */
export function brandColours(accent: string): Record<'--brand' | '--brand-ink' | '--brand-strong', string> {
  const luminance = luminanceOf(accent)
  const isDark = 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05
  return {
    '--brand': accent,
    '--brand-ink': isDark ? '#ffffff' : '#000000',
    '--brand-strong': `color-mix(in srgb, ${accent} 82%, ${isDark ? '#000000' : '#ffffff'})`,
  }
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Sets the colours of the page. */
export function applyAccent(
  { style }: { style: Pick<CSSStyleDeclaration, 'setProperty'> },
  accent: string,
): void {
  for (const [name, colour] of Object.entries(brandColours(accent))) style.setProperty(name, colour)
}
