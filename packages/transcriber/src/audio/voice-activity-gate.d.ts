/** Drops audio during long silence, so that silent participants cost nothing. */
export declare class VoiceActivityGate {
    #private;
    filter(samples: Int16Array): Int16Array[];
    /** The engine has ended the phrase: silence after it costs as much as speech, and says nothing. */
    phraseEnded(): void;
}
