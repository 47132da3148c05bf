import { Type } from 'typebox'
import { Nullable, Result } from './schema.ts'

export const CalendarParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128, description: 'The token of the calendar link.' }),
})

export const CalendarLinkResponse = Type.Object({
  result: Result,
  created_at_ms: Nullable(Type.Integer({ description: 'Unix milliseconds; null: there is no link.' })),
})

export const NewCalendarLinkResponse = Type.Object({
  result: Result,
  url: Type.String({ description: 'A secret, shown only now.' }),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
})
