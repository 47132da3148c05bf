import type { RecognitionLimits } from './recognition-scheduler.ts';
/**
 * The limits of this machine. It uses every core, because the one who has just stopped speaking waits for all others
 * otherwise: with eight speakers, one of two cores made the slowest phrase a second later. The priority leaves to calls
 * what they need.
 */
export declare function recognitionLimits(): RecognitionLimits;
