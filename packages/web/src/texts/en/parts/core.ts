/**
 * The texts of every page. The other languages have the same keys. A key that ends in `_teacher` replaces the key without
 * it in partner rooms, whose moderator is the teacher.
 */
export * from '../background.ts'
export * from '../call-ended.ts'
export * from '../device.ts'
export * from '../embedding.ts'
export * from '../microphone.ts'
export * from '../network.ts'
export * from '../prejoin.ts'
export * from '../refused.ts'
export * from '../room.ts'
export * from '../sign-in.ts'
export * from '../sso.ts'
