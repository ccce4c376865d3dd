import { twice } from './first';

export const second: number = twice(21);
