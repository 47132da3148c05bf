import type { CallInfo } from '@lectern/protocol/control/client'
import { useEffect, useState } from 'react'
import { useAccountView, useConnection } from '../../account-connection/use-connection.ts'

/** The call as it is now; null: there is none. */
export type KnownCall = CallInfo | 'loading' | 'failed' | null

/** An active call is in the state of the account; one that has ended is read from the server. */
export function useCall(callId: string): { call: KnownCall; reload: () => void } {
  const { command, onEvent } = useConnection()
  const open = useAccountView()?.calls.find(each => each.call_id === callId) ?? null
  const [stored, setStored] = useState<KnownCall>('loading')
  const [attempt, setAttempt] = useState(0)
  const isOpen = open !== null

  useEffect(
    () =>
      onEvent(({ name, body }) => {
        const { call } = body as unknown as { call?: CallInfo }
        if (name === 'call.changed' && call?.call_id === callId) setStored(call)
      }),
    [onEvent, callId],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads it again
  useEffect(() => {
    if (isOpen) return
    const stop = new AbortController()
    command('call.get', { kind: 'operation', id: callId }, {}, { signal: stop.signal }).then(
      ({ call }) => stop.signal.aborted || setStored(call),
      error => stop.signal.aborted || setStored(error?.reason === 'call_not_found' ? null : 'failed'),
    )
    return () => stop.abort()
  }, [command, callId, isOpen, attempt])
  return { call: open ?? stored, reload: () => setAttempt(attempt + 1) }
}
