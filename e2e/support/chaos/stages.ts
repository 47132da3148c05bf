import { beforeAll, expect } from 'vitest'
import { addUser, signInAs } from '../accounts.ts'
import { FAKE_DEVICES, useBrowser } from '../browser.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { clusterDeployment } from '../cluster/deployment.ts'
import { useCluster } from '../cluster/use-cluster.ts'
import { useFolders } from '../folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../lectern.ts'
import { useMembers } from '../members.ts'
import { useWebhookReceiver } from '../webhook-receiver.ts'
import { singleMachine } from './deployment.ts'
import { Invariants } from './invariants.ts'
import type { Stage } from './lesson.ts'

const SETTINGS = {
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_WORKERS: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}

/** What lessons need besides a deployment. */
const useStage = () =>
  ({
    invariants: new Invariants(),
    receiver: useWebhookReceiver(),
    openTab: useBrowser(FAKE_DEVICES),
    enter: useMembers(),
  }) as Stage

/** Lessons on one server. */
export function useSingleServerStage({ isTranscribed }: { isTranscribed: boolean }): Stage {
  const dataFolder = useFolders()()
  const lectern = useLectern(() => ({
    ...SETTINGS,
    SVC_SERVER_DATA_DIR: dataFolder,
    SVC_RECORDER_EMBEDDED: '1',
    SVC_TRANSCRIBER_EMBEDDED: isTranscribed ? '1' : '0',
  }))
  const stage = useStage()
  stage.deployment = singleMachine(lectern, dataFolder)
  beforeAll(async () => {
    stage.partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
    stage.entries = [lectern.url, lectern.url]
    await stage.partner.setWebhook(stage.receiver.webhook())
    if (!isTranscribed) return
    const { access_token } = await signInAs(
      lectern,
      await addUser(lectern, 'admin', { capabilities: ['admin'] }),
    )
    stage.transcribe = async tag => {
      const response = await fetch(`${lectern.url}/api/v1.0/admin/conferences/${tag}/transcription`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ action: 'start' }),
      })
      expect(response.status).toBe(200)
    }
  })
  return stage
}

/** Lessons on a cluster, whose teacher and student enter at different servers. */
export function useClusterStage(
  size = { servers: 3, mediaNodes: 2, recorders: 2 },
): Stage & { cluster: () => Cluster } {
  const getCluster = useCluster({ ...size, settings: SETTINGS })
  const stage = Object.assign(useStage(), { cluster: getCluster })
  beforeAll(async () => {
    const cluster = getCluster()
    stage.deployment = clusterDeployment(cluster)
    stage.partner = cluster.partner(await cluster.addAccount('school', ['integration:rooms', 'blob']))
    stage.entries = [await cluster.entryAt(0), await cluster.entryAt(1)]
    await stage.partner.setWebhook(stage.receiver.webhook())
  })
  return stage
}
