/** A playbook that ships with the product. */
export interface ShippedPlaybook {
  id: string;
  name: string;
  /** One sentence for a person. */
  about: string;
  text: string;
  /** Values of its config as a person would type them. */
  values: Readonly<Record<string, string>>;
  /** Files that it reads, by path. */
  files: Readonly<Record<string, string>>;
  /** By step and unit: what is said where no model is set up; null: it needs one. */
  answers: Readonly<Record<string, readonly string[]>> | null;
}
