/** The sections of the administration in the groups and the order of the navigation. */
export const GROUPS = {
  people: ['users', 'service-accounts'],
  meetings: ['sessions', 'rooms', 'recordings', 'transcripts'],
  system: ['jobs', 'webhooks', 'push', 'audit'],
} as const
export const GROUP_NAMES = ['people', 'meetings', 'system'] as const

export type SectionName = (typeof GROUPS)[keyof typeof GROUPS][number]
export const SECTIONS: readonly SectionName[] = GROUP_NAMES.flatMap(group => GROUPS[group])
export const isSection = (name: string): name is SectionName => SECTIONS.some(each => each === name)
