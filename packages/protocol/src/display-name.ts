export const DISPLAY_NAME_MAX = 128

/** Line breaks, control characters and spaces: together one space, as pages show them. */
const BREAKS = /[\p{White_Space}\p{Cc}]+/gu

/** Embeddings, overrides and isolates of UAX #9: they would turn the text around a name. Arabic and Hebrew need none. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A character that is seen: no space, mark, format or control character, none that fonts leave out (UAX #44), and none
 * that is blank by design: Braille, music, hieroglyphs, the place of an object.
 */
const VISIBLE =
  /[^\p{White_Space}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}\ufffc]/u

/**
 * The name as everybody sees it: one line without surrounding spaces and without direction overrides; empty if nothing
 * of it is visible. Never longer than the input. For every place where a person is named.
 */
export function cleanDisplayName(text: string): string {
  const name = text.replace(DIRECTION, '').replace(BREAKS, ' ').trim()
  return VISIBLE.test(name) ? name : ''
}

/** Letters and digits that look like the Latin ones, in lower case (the common ones of UTS #39). */
const [LOOKALIKES, LATIN] = ['авекмнорстухіјѕԁһԛԝαβεικμνορτυχı10|', 'abekmhopctyxijsdhqwabeikmnoptyxilol']
const latinOf = new Map(Array.from(LOOKALIKES, (character, i) => [character, LATIN[i] ?? character]))

/** Equal for names that people take for each other: whatever case, width, accents, spaces or invisible characters. */
const looksOf = (name: string): string =>
  Array.from(
    name
      .normalize('NFKD')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}]|[\u0300-\u036f]/gu, '')
      .toLowerCase(),
    character => latinOf.get(character) ?? character,
  )
    .join('')
    // "Il" and "lI" look alike where letters have no serifs.
    .replaceAll('i', 'l')

/** Whether a person with one name could be taken for one with the other. */
export const looksLikeName = (name: string, other: string): boolean =>
  name !== '' && looksOf(name) === looksOf(other)
