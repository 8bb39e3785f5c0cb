-- Jobs table
CREATE TABLE [Jobs] (
    [Id] nvarchar(36) NOT NULL,
    [TypeName] nvarchar(500) NOT NULL,
    [Arguments] nvarchar(max) NULL,
    [State] int NOT NULL,
    [CreatedAt] datetimeoffset NOT NULL,
    [ScheduledAt] datetimeoffset NULL,
    [ExecutedAt] datetimeoffset NULL,
    [RetryCount] int NOT NULL,
    [MaxRetryCount] int NOT NULL,
    [ErrorMessage] nvarchar(max) NULL,
    [Result] nvarchar(max) NULL,
    [BatchId] nvarchar(36) NULL,
    [ParentJobId] nvarchar(36) NULL,
    CONSTRAINT [PK_Jobs] PRIMARY KEY ([Id]),
    CONSTRAINT [FK_Jobs_Jobs_ParentJobId] FOREIGN KEY ([ParentJobId]) REFERENCES [Jobs] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_Jobs_BatchId] ON [Jobs] ([BatchId]);
CREATE INDEX [IX_Jobs_ParentJobId] ON [Jobs] ([ParentJobId]);
CREATE INDEX [IX_Jobs_ScheduledAt] ON [Jobs] ([ScheduledAt]);
CREATE INDEX [IX_Jobs_State] ON [Jobs] ([State]);
CREATE INDEX [IX_Jobs_State_ScheduledAt] ON [Jobs] ([State], [ScheduledAt]);

-- RecurringJobs table
CREATE TABLE [RecurringJobs] (
    [Id] nvarchar(200) NOT NULL,
    [CronExpression] nvarchar(100) NOT NULL,
    [JobTypeName] nvarchar(500) NOT NULL,
    [JobArguments] nvarchar(max) NULL,
    [MaxRetryCount] int NOT NULL,
    [NextExecution] datetimeoffset NULL,
    [LastExecution] datetimeoffset NULL,
    [IsEnabled] bit NOT NULL,
    [CreatedAt] datetimeoffset NOT NULL,
    CONSTRAINT [PK_RecurringJobs] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_RecurringJobs_IsEnabled] ON [RecurringJobs] ([IsEnabled]);
CREATE INDEX [IX_RecurringJobs_NextExecution] ON [RecurringJobs] ([NextExecution]);
