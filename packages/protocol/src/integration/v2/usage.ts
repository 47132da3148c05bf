import { type Static, Type } from 'typebox'
import { Result } from '../../schema.ts'

export const UsageQuery = Type.Object({
  month: Type.String({
    pattern: '^2\\d{3}-(0[1-9]|1[0-2])$',
    description: 'A month such as `2030-09`, in UTC.',
  }),
})

export const UsageResponse = Type.Object({
  result: Result,
  month: Type.String(),
  participant_minutes: Type.Number({ description: 'The minutes of everybody who left in that month.' }),
  recorded_minutes: Type.Number({
    description: 'The minutes of recordings that were finished in that month.',
  }),
  stored_bytes: Type.Integer({ description: 'The size of the files that are stored now.' }),
  webhooks: Type.Integer({ description: 'Events that your endpoints accepted, without tests.' }),
})
export type UsageResponse = Static<typeof UsageResponse>
