/** The content of a model folder. */
export type Model = {
    folder: string;
    language: string;
} & ({
    is: 'vosk';
} | {
    is: 'transducer';
    encoder: string;
    decoder: string;
    joiner: string;
    tokens: string;
} | {
    is: 'whisper';
    encoder: string;
    decoder: string;
    tokens: string;
});
/** The bundled model: US English, in Vosk's format. */
export declare function bundledModel(): Model;
/** Detects the engine from the files in the folder. */
export declare function readModel(modelDir: string): Model;
