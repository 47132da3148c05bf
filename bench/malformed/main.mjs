/** `npm run malformed -w bench`: the story of malformed frames with more of them. */
import { size } from '../dist/support/size.js'
import { runStories } from '../support/story.mjs'

runStories(['--project', 'e2e', 'e2e/malformed.spec.ts'], {
  LECTERN_FRAMES: String(size('LECTERN_FRAMES', 100_000, 100)),
})
