export const SECTIONS = ['overview', 'rooms', 'events', 'endpoints'] as const
export type SectionName = (typeof SECTIONS)[number]

export const isSection = (name: string): name is SectionName => SECTIONS.some(each => each === name)
