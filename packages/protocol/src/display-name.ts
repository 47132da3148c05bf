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

/** More marks on one character than any script has: they would cover what is around the name. */
const PILED = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}\p{Cf}]+/gu

/** Whether somebody could see anything of a text. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** The text without spaces around it; the other one where nobody could see anything of it. */
export const visibleOr = (text: string | null | undefined, other: string): string =>
  text && isVisible(text) ? text.trim() : other

/**
 * The name as everybody sees it: one line without surrounding spaces, direction overrides and piles of marks; empty if nothing
 * of it is visible. Never longer than the input. For every place where a person is named, and for the titles of meetings.
 */
export function cleanDisplayName(text: string): string {
  const name = text.replace(DIRECTION, '').replace(PILED, '$1').replace(BREAKS, ' ').trim()
  return isVisible(name) ? name : ''
}

/** Letters and digits that look like Latin ones, and these (the common ones of UTS #39). */
const LOOKALIKES: [looks: string, latin: string][] = [
  ['ΗΝΡΥΧΖВНРСТУХ', 'hnpyxzbhpctyx'], // capitals whose small letters look like others
  ['авекмнорстухіјѕԁһԛԝӏѵѡԍґ', 'abekmhopctyxijsdhqwlvwgr'],
  ['αβεικμνορτυχγσωηϲϳ', 'abeikmvoptuxyowncj'],
  ['օոսհցքյ', 'onuhgpj'], // Armenian
  ['ꭺꮩꮯꭰꭼꮋꭻꮶꮮꮇꮲꮢꮪꭲꮃꮓ', 'avcdehjklmprstwz'], // Cherokee
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
  ['ıɑɡɩøđłħŧƀ10|', 'iagiodlhtblol'],
]
const latinOf = new Map(
  LOOKALIKES.flatMap(([looks, latin]) => Array.from(looks, (look, i) => [look, latin[i] ?? look] as const)),
)

/** Letters in a square or a flag, which have no other form. */
const FIRST_ENCLOSED = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]
const letterIn = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const first = FIRST_ENCLOSED.find(each => code >= each && code < each + 26)
  return first === undefined ? character : String.fromCharCode(97 + code - first)
}

const looksLikeLatin = (character: string): string =>
  latinOf.get(character) ?? latinOf.get(character.toLowerCase()) ?? letterIn(character).toLowerCase()

/** What does not make another name of one: spaces, what is invisible, and the marks, signs and pictures around letters. */
const DECORATION =
  /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\p{P}\p{S}\p{Script=Inherited}\u0483-\u0489]/gu

/** Equal for names that people take for each other: whatever case, width, accents, spaces, decoration or script. */
function looksOf(name: string): string {
  const letters = Array.from(name.normalize('NFKD'), looksLikeLatin).join('')
  const plain = letters.replace(DECORATION, '') || letters
  // "Il" and "lI" look alike where letters have no serifs, and so do "rn" and "m".
  return plain.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** Whether a person with one name could be taken for one with the other. */
export const looksLikeName = (name: string, other: string): boolean =>
  name !== '' && looksOf(name) === looksOf(other)
