import { accountOperations } from './accounts.ts'
import { administrationOperations } from './administration.ts'
import { conferenceOperations } from './conferences.ts'
import type { Operation } from './operation.ts'
import { partnerOperations } from './partner.ts'
import { recordingOperations } from './recordings.ts'
import { uploadOperations } from './uploads.ts'
import { whipOperations } from './whip.ts'

const operations = {
  ...partnerOperations,
  ...recordingOperations,
  ...conferenceOperations,
  ...accountOperations,
  ...whipOperations,
  ...uploadOperations,
  ...administrationOperations,
}
export type OperationId = keyof typeof operations

/** Every operation of the HTTP API, by its operationId. */
export const OPERATIONS: Readonly<Record<OperationId, Operation>> = operations
