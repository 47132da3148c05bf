/** `npm run malformed -w bench`: the story of malformed frames with more of them. */
import { size } from '../support/size.ts'
import { runStories } from '../support/story.ts'

runStories(['--project', 'endurance', 'e2e/endurance/floods/malformed.spec.ts'], {
  LECTERN_FRAMES: String(size('LECTERN_FRAMES', 100_000, 2_000)),
})
