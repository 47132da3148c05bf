import { canSendFiles, canWrite, isModerator } from '../policy.ts'
import { devicesOf, type Session } from '../session.ts'

export type Insider = NonNullable<ReturnType<typeof findInsider>>

/** The rights of somebody inside; null: the account is not inside. */
export function findInsider(session: Session, userId: number) {
  const devices = devicesOf(session, userId)
  const [self] = devices
  if (!self) return null
  return {
    sessionId: session.id,
    displayName: self.displayName,
    isModerator: devices.some(isModerator),
    /** In the chat. */
    mayWrite: canWrite(session, self),
    maySendFiles: canSendFiles(session, self),
    chatId: session.chatId,
    hasFreshBoard: session.conference?.board === 'fresh',
  }
}
