import type { Model } from './model.ts';
import { type Engine } from './port.ts';
export declare function openVosk({ folder, language }: Model): Promise<Engine>;
