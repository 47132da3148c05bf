import { randomChoices, seededRandom, testSeed } from '@lectern/common/testing'
import { it } from 'vitest'
import { useDemo } from '../quickstart/testing.ts'

const { killFirstRun } = useDemo()

it.concurrent.each(['lectern.ini', 'integration.db', 'demo-account.json.part'])(
  'lectern quickstart completes a first run that was killed when it had written %s',
  file => killFirstRun(({ hasFile }) => hasFile(file)),
)

const { below } = randomChoices(seededRandom(testSeed()))
it.concurrent.each([below(1_000), below(1_000)])(
  'lectern quickstart completes a first run that was killed after %d ms',
  ms => killFirstRun(({ elapsedMs }) => elapsedMs > ms),
)
