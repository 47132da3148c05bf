/** The reactions that participants can show. A fixed list: nobody shows a text of their own. */
export const REACTIONS = [
  'thumbs_up',
  'clap',
  'heart',
  'laugh',
  'party',
  'surprise',
  'thinking',
  'wave',
] as const
export type Reaction = (typeof REACTIONS)[number]
