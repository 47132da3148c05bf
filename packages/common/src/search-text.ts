/**
 * The text as searches compare it: the same for every case. The two letters I of Turkish are one, because people type "ibrahim"
 * for "İbrahim", and whose browser is Turkish must find "Irina" too. It does not depend on the language of the machine.
 */
export const foldCase = (text: string): string =>
  text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ı', 'i')

/** Whether one of the texts contains what was typed, in any case. Surrounding spaces of it do not count. */
export function containsText(texts: readonly string[], typed: string): boolean {
  const wanted = foldCase(typed.trim())
  return texts.some(text => foldCase(text).includes(wanted))
}
