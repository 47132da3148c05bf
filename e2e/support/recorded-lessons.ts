import type { PartnerClient } from '@lectern/partner'
import { beforeAll } from 'vitest'
import { useBrowser } from './browser.ts'
import { useFolders } from './folders.ts'
import { useLectern } from './lectern.ts'
import { colouredDevices } from './recorded-video.ts'
import { useWebhookReceiver } from './webhook-receiver.ts'

/** Runs a service with a recorder, a partner with a webhook, and two browsers with a red and a blue camera and a voice. */
export async function useRecordedLessons(
  graceSeconds: number,
  settings: Record<string, string> = {},
  cameraSize = '320x180',
) {
  const makeFolder = useFolders()
  const lectern = useLectern(() => ({
    SVC_LIMITS_ENABLED: '0',
    SVC_RECORDER_EMBEDDED: '1',
    SVC_CONFERENCES_EMPTY_GRACE_SECONDS: String(graceSeconds),
    SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
    ...settings,
  }))
  const receiver = useWebhookReceiver()
  const openRed = useBrowser(await colouredDevices(makeFolder(), 'red', cameraSize))
  const openBlue = useBrowser(await colouredDevices(makeFolder(), 'blue', cameraSize))
  let partner: PartnerClient
  beforeAll(async () => {
    partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
    await partner.setWebhook(receiver.webhook())
  })
  return { lectern, receiver, openRed, openBlue, makeFolder, partner: () => partner }
}
