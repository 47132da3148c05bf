/** Families of a browser and its platform, e.g. Firefox and Linux. Null: unknown. */
export interface ClientFamilies {
  browser: string | null
  platform: string | null
}

/** In this order: most browsers also name those that they descend from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const PLATFORMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** Headers beyond this are no browser's; it bounds the work of the expressions. */
const MAX_LENGTH = 512

/** Reads a User-Agent header. Users compare the result with what they know of their devices; nothing depends on it. */
export function clientFamilies(userAgent: string): ClientFamilies {
  const text = userAgent.slice(0, MAX_LENGTH)
  const find = (families: readonly [RegExp, string][]) =>
    families.find(([pattern]) => pattern.test(text))?.[1] ?? null
  return { browser: find(BROWSERS), platform: find(PLATFORMS) }
}
