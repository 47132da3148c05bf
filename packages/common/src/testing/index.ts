/** `@lectern/common/testing`: what tests of several packages share. */
export { type RandomChoices, randomChoices, seededRandom } from './random.ts'
export { fuzzSeeds, testSeed } from './seeds.ts'
