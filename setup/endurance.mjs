/** `npm run test:endurance [-- group…]`: prepares the checkout, then runs the long proofs, or the named groups of them. */
import { concludeWith, prepareForTests } from './conclusion.mjs'
import { groups } from './endurance/groups.mjs'
import { runGroups } from './endurance/run-groups.mjs'

const names = process.argv.slice(2)
const unknown = names.filter(name => !(name in groups))
if (unknown.length > 0) {
  console.error(`There is no group ${unknown.join(', ')}. The groups are:`)
  for (const [name, { proves, minutes }] of Object.entries(groups))
    console.error(`  ${name}: ${proves} (${minutes} minutes)`)
  process.exitCode = 1
} else {
  const failedToPrepare = await prepareForTests()
  concludeWith(failedToPrepare ?? (await runGroups(names.length > 0 ? names : Object.keys(groups))))
}
