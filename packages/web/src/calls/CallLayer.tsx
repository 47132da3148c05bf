import { useEffect, useState } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'
import { useSite } from '../site/use-site.ts'
import { AboveDialogs } from '../ui/AboveDialogs.tsx'
import { useValue } from '../use-value.ts'
import { CallFlow } from './call-flow.ts'
import { IncomingCall } from './IncomingCall.tsx'
import { useCallActions } from './use-calls.ts'

/** Calls on every page of a signed-in user: those that ring, and those that this page has started. */
export function CallLayer() {
  const connection = useConnection()
  const site = useSite()
  const actions = useCallActions()
  const [flow, setFlow] = useState<CallFlow | null>(null)
  useEffect(() => {
    const opened = new CallFlow(connection, site, actions)
    setFlow(opened)
    return () => opened.close()
  }, [connection, site, actions])
  return flow && <RingingCalls flow={flow} />
}

/** One at a time: the oldest first. */
function RingingCalls({ flow }: { flow: CallFlow }) {
  const { room } = useSite()
  const [call] = useValue(flow)
  const isInRoom = useValue(room) !== null
  if (!call) return null
  return (
    <AboveDialogs>
      <IncomingCall key={call.call_id} call={call} isInRoom={isInRoom} />
    </AboveDialogs>
  )
}
