import type { CallInfo, CallPerson, EventBody } from '@lectern/protocol/control/client'
import { useEffect, useState } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'

export interface Invitation {
  call: CallInfo
  person: CallPerson
}

/** The people whom the user has called into a conference: since this is shown, and earlier if it still rings. */
export function useInvitations(tag: string): readonly Invitation[] {
  const connection = useConnection()
  const [calls, setCalls] = useState<readonly CallInfo[]>(() => connection.get().view?.calls ?? [])
  useEffect(() => {
    const stopEvents = connection.onEvent(({ name, body }) => {
      if (name !== 'call.changed') return
      const { call } = body as EventBody<'call.changed'>
      setCalls(known => [...known.filter(each => each.call_id !== call.call_id), call])
    })
    const stopSnapshots = connection.onSnapshot(() => {
      const open = connection.get().view?.calls ?? []
      setCalls(known => afterSnapshot(known, open))
    })
    return () => {
      stopEvents()
      stopSnapshots()
    }
  }, [connection])
  return invitationsOf(calls, connection.userId, tag)
}

/** After missed events: open calls that the state does not list any more have ended; how is unknown. */
export const afterSnapshot = (known: readonly CallInfo[], open: readonly CallInfo[]): readonly CallInfo[] => [
  ...known.filter(({ state }) => state === 'ended'),
  ...open,
]

/** The last invitation of each person who is not in the call. */
export function invitationsOf(calls: readonly CallInfo[], userId: string, tag: string): Invitation[] {
  const last = new Map<string, Invitation>()
  const own = calls.filter(each => each.conference_tag === tag && each.inviter.user_id === userId)
  for (const call of own.sort((a, b) => Number(a.call_id) - Number(b.call_id)))
    for (const person of call.people) last.set(person.user_id, { call, person })
  return [...last.values()].filter(({ person: { state } }) => state !== 'accepted' && state !== 'left')
}
