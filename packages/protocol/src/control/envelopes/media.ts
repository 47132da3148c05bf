import { type Static, Type } from 'typebox'
import { FreeObject, strict } from '../scalars.ts'
import { Binding, MediaRef } from '../shared.ts'

export const MEDIA_NAMES = ['webrtc_offer', 'webrtc_answer', 'webrtc_ice_candidate'] as const

export const ControlMedia = Type.Object(
  { binding: Binding, media: MediaRef, name: Type.Enum(MEDIA_NAMES), body: FreeObject },
  { ...strict, description: 'A message of a WebRTC negotiation.' },
)
export type ControlMedia = Static<typeof ControlMedia>
