import { useTexts } from '../../texts/use-texts.ts'

const CAPABILITIES = {
  admin: 'admin',
  'recordings.access': 'recordings',
  'jobs.recorder': 'recorder',
  'jobs.transcriber': 'transcriber',
  'jobs.converter': 'converter',
} as const
type Capability = keyof typeof CAPABILITIES
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as Capability[]

const RECORD_STATUSES = ['completed', 'stopped', 'incomplete'] as const

/** Words for the names of the API. Both sets are open: an unknown name stands for itself. */
export function useLabels() {
  const { t, locale } = useTexts()
  const capability = (name: string): string =>
    isCapability(name) ? t(`admin.users.capability.${CAPABILITIES[name]}`) : name
  return {
    capability,
    capabilities: (names: readonly string[]): string => names.map(capability).join(', ') || '—',
    /** The status of a recording or a transcript, in words. */
    recordStatus: (name: string): string => {
      const known = RECORD_STATUSES.find(each => each === name)
      return known ? t(`admin.recordings.status.${known}`) : name
    },
    /** `tag`: BCP 47. */
    language: (tag: string): string => {
      try {
        return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
      } catch {
        return tag // not the tag of a language
      }
    },
  }
}

const isCapability = (name: string): name is Capability => Object.hasOwn(CAPABILITIES, name)
