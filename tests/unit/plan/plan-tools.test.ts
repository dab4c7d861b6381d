import { describe, expect, test } from 'vitest';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runTool } from '#core/agent/tools/run-tool.ts';
import { toolsOf } from '#core/plan/plan-tools.ts';
import { VIDEO_READ_TOOLS, type ShowSource, type VideoToolContext } from '#lanes/video/core/agent/video-tools.ts';
import { videoPlans } from '#lanes/video/core/plan-kinds.ts';
import { FOLDER, NO_MEDIA, NO_SHOWS, planRoom } from '../../fixtures/plan-room.ts';

const FILES = { 'b.mkv': 'bb', 'a.mkv': 'a', 'Season 1/c.mkv': 'ccc' };
const PLAN_TOOLS = [...videoPlans.all.flatMap(toolsOf), ...VIDEO_READ_TOOLS];
const SHOWS: ShowSource = {
  find: (words) => Promise.resolve(words === 'Show' ? [{ id: 'sh1', title: 'Show', year: 2001 }] : []),
  episodes: (id, season) =>
    Promise.resolve(
      id !== 'sh1'
        ? null
        : {
            show: { id: 'sh1', title: 'Show', year: 2001 },
            episodes: [1, 2]
              .filter((one) => season === null || season === one)
              .map((one) => ({ season: one, episode: 1, title: `T${one}`, air_date: null, absolute: one })),
          },
    ),
  cursor: () => '7',
};

function world(over: Partial<VideoToolContext> = {}) {
  const room = planRoom(FILES);
  const context: VideoToolContext = {
    plans: room.service,
    folders: room.folders,
    shows: NO_SHOWS,
    media: NO_MEDIA,
    by: 'agent',
    ...over,
  };
  const registry = new AgentToolRegistry(PLAN_TOOLS);
  let calls = 0;
  const call = async (tool: string, input: object) => {
    const ran = await runTool(
      {
        registry,
        allowed: registry.names,
        entities: {
          F1: { kind: 'file', id: `${FOLDER}/a.mkv` },
          T1: { kind: 'task', id: '01010101-0101-4101-8101-010101010101' },
        },
        journal: [],
        workflowId: 'w',
        context,
        clock: { now: () => 0 },
        wait: () => Promise.resolve(),
        signal: undefined,
      },
      { call: `t${++calls}`, tool, input, by: 'model' },
    );
    if (ran.kind === 'cancelled') throw new Error('nobody cancelled');
    return ran.kind === 'done' ? ran.output : ran.failure;
  };
  return { ...room, call };
}

describe('the tools of plans', () => {
  test('PLAN-51 have the specified names and strict inputs', () => {
    expect(new AgentToolRegistry(PLAN_TOOLS).names).toEqual([
      'beginRecognizeTask',
      'addRecognizedMediaFile',
      'endRecognizeTask',
      'beginRenameFilesTaskV2',
      'addRenameFileToTaskV2',
      'endRenameFilesTaskV2',
      'listFiles',
      'getEpisodes',
      'getMediaMetadata',
    ]);
    expect(VIDEO_READ_TOOLS.every(({ risk, side_effects }) => risk === 'read' && !side_effects)).toBe(true);
    // No tool of plans reaches a network, and none of them ends a workflow.
    expect(PLAN_TOOLS.every(({ network, risk }) => network.length === 0 && risk !== 'decide')).toBe(true);
  });

  test('PLAN-51 make a plan over the engine of agents, files and tasks only as they were shown', async () => {
    const { call, service } = world();
    const begun = await call('beginRecognizeTask', { mediaFolderPath: FOLDER });
    const taskId = '01010101-0101-4101-8101-010101010101';
    expect(begun).toEqual({ taskId });
    const file = { taskId, season: 1, episode: 1, path: `${FOLDER}/a.mkv` };
    expect(await call('addRecognizedMediaFile', file)).toEqual({ success: true });
    expect(await call('addRecognizedMediaFile', { ...file, path: `${FOLDER}/b.mkv` })).toMatchObject({
      code: 'tool_refused',
      message: 'path: no file "/media/Show/b.mkv" was shown.',
    });
    expect(await call('addRecognizedMediaFile', { ...file, more: 1 })).toMatchObject({ code: 'tool_refused' });
    expect(await call('endRecognizeTask', { taskId })).toEqual({ success: true });
    expect(await service.pending('recognize-media-file')).toHaveLength(1);
  });

  test('PLAN-52 listFiles lists sorted, by pages, and only folders that may be seen', async () => {
    const { call } = world();
    expect(await call('listFiles', { mediaFolderPath: FOLDER })).toEqual({
      files: [
        { path: `${FOLDER}/Season 1/c.mkv`, size: 3 },
        { path: `${FOLDER}/a.mkv`, size: 1 },
        { path: `${FOLDER}/b.mkv`, size: 2 },
      ],
      total: 3,
    });
    expect(await call('listFiles', { mediaFolderPath: FOLDER, offset: 2 })).toMatchObject({ files: [{ size: 2 }] });
    expect(await call('listFiles', { mediaFolderPath: '/etc' })).toMatchObject({ code: 'not_found' });
  });

  test('PLAN-52 getEpisodes answers by words or id, all seasons or one, and nothing without a catalog', async () => {
    const { call } = world({ shows: SHOWS });
    const of = (one: number) => ({ season: one, episode: 1, title: `T${one}`, air_date: null, absolute: one });
    const shows = [{ id: 'sh1', title: 'Show', year: 2001 }];
    expect(await call('getEpisodes', { show: 'Show' })).toEqual({ shows, episodes: [of(1), of(2)] });
    expect(await call('getEpisodes', { show: 'sh1', season: 2 })).toEqual({ shows, episodes: [of(2)] });
    expect(await call('getEpisodes', { show: 'Other' })).toEqual({ shows: [], episodes: [] });
    expect(await world().call('getEpisodes', { show: 'Show' })).toEqual({ shows: [], episodes: [] });
  });

  test('PLAN-52 getMediaMetadata says size and, where something looks into the file, length and streams', async () => {
    const look = () => Promise.resolve({ duration: 61, streams: ['video h264 1920x1080'] });
    const path = `${FOLDER}/a.mkv`;
    const input = { mediaFolderPath: FOLDER, path };
    expect(await world().call('getMediaMetadata', input)).toMatchObject({ path, size: 1, duration: null, streams: [] });
    expect(await world({ media: { look } }).call('getMediaMetadata', input)).toMatchObject({
      duration: 61,
      streams: ['video h264 1920x1080'],
    });
  });
});
