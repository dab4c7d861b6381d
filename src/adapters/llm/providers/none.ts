import type { NoProvider } from './provider.ts';

export const none: NoProvider = {
  id: 'none',
  label: 'None',
  about: 'Rules alone decide. What they are not sure of comes to you.',
  place: 'none',
  takesContextLength: false,
  whatLeaves: () => 'Nothing is sent to any model.',
};
