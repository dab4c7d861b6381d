import { chromium } from '@playwright/test';
import { App } from './support/app.ts';
import { expect, test } from './support/test.ts';

/** What the settings say of the graphics card, in a browser that was started so. */
const MACHINES = [
  {
    args: ['--disable-gpu', '--disable-features=WebGPU'],
    words: /no WebGPU|offers no graphics card/,
  },
  {
    args: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan'],
    words: /only simulated by the processor/,
  },
];

test('MODEL-13: no WebGPU, or WebGPU in software, is said in the settings, and no model is offered that would not run', async ({
  server,
  api,
}) => {
  void api;
  const executablePath = process.env['ACCESSION_BROWSER'];
  for (const { args, words } of MACHINES) {
    const browser = await chromium.launch({
      args: ['--no-sandbox', ...args],
      ...(executablePath ? { executablePath } : {}),
    });
    try {
      const app = new App(await browser.newPage());
      await app.signIn(server.signInLink);
      const { page } = app;
      await page.getByRole('link', { name: 'Settings' }).first().click();
      await page.getByRole('radio', { name: 'This browser, on the graphics card' }).check();
      await expect(page.getByText(words).first()).toBeVisible();
      const models = page.getByRole('list', { name: 'Local models' }).getByRole('listitem');
      const look = page.getByRole('button', { name: 'models all the same' });
      await expect(look.or(models).first()).toBeVisible();
      if (await look.isVisible()) await look.click();
      await expect(models.filter({ hasText: 'Qwen3 4B' }).first()).toBeVisible();
      for (const button of await models.getByRole('button', { name: 'Download' }).all())
        await expect(button).toBeDisabled();
      // The processor is there for both.
      await page.getByRole('radio', { name: 'This browser, on the processor' }).check();
      await expect(models.getByRole('button', { name: 'Download' }).first()).toBeEnabled();
    } finally {
      await browser.close();
    }
  }
});
